// The only Trusted Types policy. It allows the style texts that React and Mantine assign to `innerHTML`, but no markup.

interface Policies {
  createPolicy(name: "default", rules: { createHTML(text: string): string | null }): unknown;
}

declare global {
  interface Window {
    /** Undefined in browsers without Trusted Types. */
    readonly trustedTypes?: Policies;
  }
}

export const withoutMarkup = (text: string): string | null => (text.includes("<") ? null : text);

export const installPolicy = () => window.trustedTypes?.createPolicy("default", { createHTML: withoutMarkup });
