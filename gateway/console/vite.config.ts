// Build of the console: files with hashed names for /console/assets/, and index.html, into which the gateway writes a
// nonce.

import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";

// Override the value from a shell or test runner, because any other value bundles React's development build.
process.env.NODE_ENV = "production";

export default defineConfig({
  root: import.meta.dirname,
  plugins: [react()],
  publicDir: false,
  html: { cspNonce: "__CSP_NONCE__" },
  build: {
    target: "es2022",
    // Only browsers with light-dark(), because the fallback for older ones ignores the page's color scheme attribute.
    cssTarget: ["chrome123", "firefox120", "safari17.5"],
    outDir: "dist",
    emptyOutDir: true,
    assetsDir: "console/assets",
    // Do not inline assets, because a data: URL would need an exception in the content security policy.
    assetsInlineLimit: 0,
    manifest: true,
    license: { fileName: "licenses.md" },
    reportCompressedSize: false,
    chunkSizeWarningLimit: 2_000,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      output: {
        codeSplitting: {
          // Bundle modules that most pages share into one file, instead of thirty requests after the entry has run.
          groups: [{ name: "shared", minShareCount: 8 }],
        },
      },
    },
  },
});
