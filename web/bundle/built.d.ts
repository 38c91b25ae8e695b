/** What web/vite/bundle_files.ts puts into the app: the files of a bundle's page, as text. */
declare module 'virtual:bundle-files' {
  export const files: import('./bundle.ts').PageFiles;
}
