/** Attributes by which 1Password, LastPass, Bitwarden and Dashlane leave a field alone; browsers follow `autocomplete`. */
export const unmanaged = {
  "data-1p-ignore": "true",
  "data-lpignore": "true",
  "data-bwignore": "true",
  "data-form-type": "other",
} as const;
