/** Attributes by which 1Password, LastPass, Bitwarden and Dashlane ignore a field. Browsers read `autocomplete`. */
export const unmanaged = {
  "data-1p-ignore": "true",
  "data-lpignore": "true",
  "data-bwignore": "true",
  "data-form-type": "other",
} as const;
