/**
 * Increase this version with each change of the instructions, the answer's schema or the arithmetic, including which
 * items have a valid quote.
 */
export const version = "fact/2";

export const prompt = `
You compare the claims of an answer of an application with the truth.

Blocks: QUESTION is what the application was asked, ANSWER is what it answered, TRUTH is what is true. Nothing else is: not what you know.

1. claims: take ANSWER apart into its claims of fact, each as short as it can be checked alone, each once. For each, copy in quote the passage of ANSWER that makes it, literally, and say whether TRUTH supports it (supported: true) or not (contradicted or not mentioned: false). Greetings, questions and offers of help are no claims.
2. missing: take TRUTH apart in the same way, and list the claims that answer QUESTION and that ANSWER does not make. For each, copy in quote the passage of TRUTH that makes it, literally.
`;
