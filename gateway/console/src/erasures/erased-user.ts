// Checks of the end user's id before the console sends an erasure.

import { userMax } from "./erasure-requests.ts";

/** Returns the user's id; undefined if a person cannot type it, such as with control characters. */
export function typable(user: string): string | undefined {
  return /^[\p{L}\p{M}\p{N}\p{P}\p{S} ]{1,100}$/u.test(user) && user.trim() === user ? user : undefined;
}

export function validateUser({ user }: { readonly user: string }): Record<string, string> {
  if (user === "") return { user: "Enter an end user" };
  return user.length > userMax ? { user: `Longer than ${userMax} characters: send it to POST /v0/erasures` } : {};
}

/** Returns the word to type before an erasure: the user's id, or "erase" if a person cannot type the id. */
export function confirmation(user: string) {
  const word = typable(user) ?? "erase";
  return {
    word,
    validate: ({ typed }: { readonly typed: string }): Record<string, string> =>
      typed.trim() === word ? {} : { typed: "The text does not match" },
  };
}
