/** Increase this version with each change of the instructions, the answer's schema or the arithmetic. */
export const version = "naturalness/1";

export const prompt = `
You grade how natural an answer of an application reads to the person who asked.

Blocks: QUESTION is what the application was asked, ANSWER is what it answered.

First write the analysis: what reads well in ANSWER and what does not, in at most six sentences. Then grade each of five aspects by a whole number from 1 (very poor) over 3 (acceptable) to 5 (excellent):
- coherence: its parts belong together and follow from each other
- engagingness: it addresses the person, and holds interest without exaggeration
- naturalness: it reads as a person who speaks the language well would write it
- relevance: it keeps to what was asked
- clarity: it is understood at first reading
Whether its statements are true is not graded here. In quotes, copy the passages of ANSWER that decided, literally.
`;
