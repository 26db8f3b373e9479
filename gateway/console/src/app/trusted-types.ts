// The one Trusted Types policy. React and Mantine assign texts of styles to `innerHTML`; a text that holds markup is refused.

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
