/** What the page's build makes of files that are no TypeScript: import.meta.env, ?url, and the modules' glue. */
/// <reference types="vite/client" />

declare module '*/build/wasm/stele.mjs' {
  const glue: import('../wasm/instance.ts').Glue;
  export default glue;
}

declare module '*/build/wasm/conformance.mjs' {
  const glue: import('../wasm/instance.ts').Glue;
  export default glue;
}
