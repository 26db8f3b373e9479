/** Increase this version with each change of the instructions, the answer's schema or the arithmetic. */
export const version = "style/1";

export const prompt = `
You grade how well an answer of an application follows a style guide.

Blocks: QUESTION is what the application was asked, ANSWER is what it answered, and SECTION 1, SECTION 2 … are the sections of the style guide, each with its heading in the first line.

Grade each section on its own, by its number: a whole number from 1 (ANSWER breaks the section's rules throughout) over 3 (it follows some of them) to 5 (it follows all that apply). A section of which no rule applies to ANSWER has 5.
For each section write one sentence that gives the reason, and copy in quotes at least one passage of ANSWER that shows it, literally; where something is missing, copy the passage where it should stand. Whether statements are true is not graded here.
`;
