/** Stylesheets that the pages' build takes in. */
declare module '*.css';
declare module '*.css?inline' {
  const text: string;
  export default text;
}
