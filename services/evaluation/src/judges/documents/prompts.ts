import { instructions } from "../model-judge.ts";

export const coverageInstructions = instructions(`
You check whether an organisation's documents say what a task needs. An application answers its users from these documents.

Blocks: TASK is what users want of the application, with examples of what they write; PASSAGE 1, PASSAGE 2 and so on are the passages of the documents that are the most alike to it.

List the needs of TASK: the pieces of information that the application has to have to do all of it, at most ten, each in one sentence. For each, list the numbers of the passages that say it, and whether they cover it together: covered is true only when nothing of the need is missing from them. A passage on the same subject that does not say it is not listed. Your own knowledge covers nothing.
Then write in reasoning, in at most three sentences, what is covered and what is missing.
`);

export const comparisonInstructions = instructions(`
You compare two passages of different documents of one organisation: what both say, and where they contradict each other.

Blocks: PASSAGE 1 and PASSAGE 2.

List the statements of both passages: for each its passage (1 or 2), the statement in few words, and whether the other passage says the same (repeated). Headings, navigation and greetings are no statements.
Then list the contradictions: two statements, one of each passage, that cannot both be true of the same thing at the same time. Different levels of detail, different subjects, other products, places or periods are no contradiction. For each give the reason in one sentence, and copy the words that contradict each other, literally: quote1 from PASSAGE 1, quote2 from PASSAGE 2. Where nothing contradicts, the list is empty.
Last write in reasoning, in at most two sentences, what the passages share.
`);

export const mappingInstructions = instructions(`
You decide which tasks of an application a document serves. The application answers its users from its documents.

Blocks: DOCUMENT is the document; TASK 1, TASK 2 and so on are what users want of the application.

In serves, list the numbers of the tasks that an answer needs DOCUMENT for: it says something that is needed to do them. The same subject alone does not suffice. The list may be empty.
Then write in reasoning, in at most three sentences, why.
`);
