/** Minimum length of a critique in characters, which the API requires if a trace fails. */
export const critiqueMin = 20;

export const missingCharacters = (critique: string) => Math.max(0, critiqueMin - critique.trim().length);

export const toCritique = (critique: string) => (critique.trim() === "" ? null : critique);
