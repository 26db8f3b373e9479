export { addWords } from "./index-jobs.ts";
export { startIndexer } from "./indexer.ts";
export { type Arrival, queueSearch } from "./queue.ts";
export { wordKeys, wordsOfSearch, wordsToFind } from "./words.ts";
