/** What the bundler makes of the files that are no TypeScript. */
declare module '*.wasm' {
  const module: WebAssembly.Module;
  export default module;
}
declare module '*/stele.mjs' {
  const glue: unknown;
  export default glue;
}
declare module '*/conformance.mjs' {
  const glue: unknown;
  export default glue;
}
