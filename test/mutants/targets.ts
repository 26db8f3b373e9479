// Source files for generated mutations: kit's foundations, and the services' code for claims, leases and sums.

import { product } from "../house/sources.ts";

const foundations = /^services\/kit\/src\/(db|events|rpc|limits)\//;
const inServices = [
  /^services\/kit\/src\/(background|prune|retention\/retention)\.ts$/,
  /^services\/archive\/src\/batches\.ts$/,
  /^services\/evaluation\/src\/(jobs\/(store|resume)|schedules\/scheduler|(budgets|limits)\/(?!entity).*)\.ts$/,
  /^services\/notifications\/src\/(deliveries\/worker\/(claim|recorder|next-state)|mail\/jobs|prompts\/outcomes|events\/reconcile)\.ts$/,
  /^services\/experiments\/src\/runs\/(execution\/work|document-tests\/offers)\.ts$/,
  /^services\/experiments\/src\/runs\/(execution\/complete-tests|rollups\/.*)\.ts$/,
  /^services\/traces\/src\/completion\/(?!sample-rates|index).*\.ts$/,
  /^services\/reporting\/src\/query\/(numbers|predicates)\.ts$/,
];
/** Migrations are excluded: the tests' template database has run them before a mutation is applied. */
const isDdl =
  /(schema|schemas?-v\d|backfill|migrat\w*|provision|policy|erase-copies|outbox|revoke-\w+|relay-role\w*|backup-role)[\w-]*\.ts$/;

export const targets = product.filter(
  (file) =>
    (foundations.test(file) || inServices.some((each) => each.test(file))) &&
    !isDdl.test(file) &&
    !file.endsWith(".d.ts"),
);
