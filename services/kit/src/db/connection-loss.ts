import type { Pool } from "pg";

/**
 * Lets the process outlive connections that are lost while somebody holds them. Whoever runs a statement is told by it; a
 * connection that is held between two statements has nobody to tell, and its `error` event would end the process.
 */
export function outliveLostConnections(pool: Pool): void {
  pool.on("acquire", (client) => {
    if (!client.listeners("error").includes(isToldByItsStatements)) client.on("error", isToldByItsStatements);
  });
}

function isToldByItsStatements(): void {}
