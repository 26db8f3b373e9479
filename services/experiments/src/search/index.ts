export { startIndexer } from "./indexer.ts";
export { type Arrival, queueSearch } from "./queue.ts";
export { wordsOfSearch, wordsToFind } from "./words.ts";
