// The only Trusted Types policy. React and Mantine assign style texts to `innerHTML`; texts with markup are refused.

interface Policies {
  createPolicy(name: "default", rules: { createHTML(text: string): string | null }): unknown;
}

declare global {
  interface Window {
    /** Missing in browsers without Trusted Types. */
    readonly trustedTypes?: Policies;
  }
}

export const withoutMarkup = (text: string): string | null => (text.includes("<") ? null : text);

export const installPolicy = () => window.trustedTypes?.createPolicy("default", { createHTML: withoutMarkup });
