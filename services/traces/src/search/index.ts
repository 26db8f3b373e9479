export { countUnindexed, waitUntilIndexed } from "./freshness.ts";
export { addWords } from "./index-jobs.ts";
export { startIndexer } from "./indexer.ts";
export { type Arrival, queueSearch } from "./queue.ts";
export { searchKeys, wordKeys, wordsToFind } from "./words.ts";
