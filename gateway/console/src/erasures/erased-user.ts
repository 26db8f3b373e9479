// Checks of the end user before an erasure is sent.

import { userMax } from "./erasure-requests.ts";

/** Returns the user, or undefined if a person cannot type that text. */
export function typable(user: string): string | undefined {
  return /^[\p{L}\p{M}\p{N}\p{P}\p{S} ]{1,100}$/u.test(user) && user.trim() === user ? user : undefined;
}

export function validateUser({ user }: { readonly user: string }): Record<string, string> {
  if (user === "") return { user: "Enter an end user" };
  return user.length > userMax ? { user: `Longer than ${userMax} characters: send it to POST /v0/erasures` } : {};
}

/** The word to type before an erasure: the user, or "erase" for a user that cannot be typed. */
export function confirmation(user: string) {
  const word = typable(user) ?? "erase";
  return {
    word,
    validate: ({ typed }: { readonly typed: string }): Record<string, string> =>
      typed.trim() === word ? {} : { typed: "The text does not match" },
  };
}
