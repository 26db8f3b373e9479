// What a page loads: files named by their hash under /console/assets/, and index.html, into which the gateway writes a nonce.

import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";

// Whatever the shell says, or a test runner: by another one, React's development build would be packed.
process.env.NODE_ENV = "production";

export default defineConfig({
  root: import.meta.dirname,
  plugins: [react()],
  publicDir: false,
  html: { cspNonce: "__CSP_NONCE__" },
  build: {
    target: "es2022",
    // Those that know light-dark(): what replaces it for older ones follows no attribute of the page.
    cssTarget: ["chrome123", "firefox120", "safari17.5"],
    outDir: "dist",
    emptyOutDir: true,
    assetsDir: "console/assets",
    // A data: URL would need an exception in the content security policy.
    assetsInlineLimit: 0,
    manifest: true,
    license: { fileName: "licenses.md" },
    reportCompressedSize: false,
    chunkSizeWarningLimit: 2_000,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      output: {
        codeSplitting: {
          // What most pages use is one file beside the entry, instead of thirty that are asked for once the entry has run.
          groups: [{ name: "shared", minShareCount: 8 }],
        },
      },
    },
  },
});
