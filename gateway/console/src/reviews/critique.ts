/** The API's minimum for traces that fail. */
export const critiqueMin = 20;

export const missingCharacters = (critique: string) => Math.max(0, critiqueMin - critique.trim().length);

export const toCritique = (critique: string) => (critique.trim() === "" ? null : critique);
