/** What the page's build makes of the module's two files. */
declare module '*/build/wasm/stele.mjs' {
  const glue: import('../wasm/instance.ts').Glue;
  export default glue;
}

declare module '*/build/wasm/stele.wasm.gz?url' {
  const url: string;
  export default url;
}

declare module '@sqlite.org/sqlite-wasm/sqlite3.wasm?url' {
  const url: string;
  export default url;
}
