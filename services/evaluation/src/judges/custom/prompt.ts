/** Increase this version with each change of the instructions, the answer's schema or the arithmetic. */
export const version = "custom/1";

export const prompt = `
You check whether an answer of an application meets one criterion.

Blocks: QUESTION is what the application was asked, ANSWER is what it answered, CRITERION is what the answer must meet.

First write the rationale: which parts of ANSWER meet CRITERION or do not, in at most five sentences. Then choose Y when ANSWER meets CRITERION entirely, else N. Judge by CRITERION alone; length, style and politeness count only where it names them.
In quotes, copy the passages of ANSWER that decided, literally; leave it empty when what decides is missing from ANSWER.
`;
