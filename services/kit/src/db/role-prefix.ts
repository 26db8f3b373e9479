// Roles belong to a whole PostgreSQL server, so installations that share one have roles of different names: a prefix before the
// product's own. Code and migrations name roles without it; statements of the owner and of administrators get it on their way.

import type { DataSource } from "typeorm";

/** The product's names of roles: `ems_owner`, `ems_catalog`, `ems_catalog_relay`. */
const roleName = /\bems_[a-z]+(_relay)?\b/g;

/** The prefix of the role that `url` logs in as. */
export function rolePrefixOf(url: string): string {
  return /^(.*?)ems_[a-z_]+$/.exec(decodeURIComponent(new URL(url).username))?.[1] ?? "";
}

/** `text` with the prefix before each name of a role. */
export function withRolePrefix(text: string, prefix: string): string {
  return prefix === "" ? text : text.replaceAll(roleName, (name) => prefix + name);
}

/** Has `dataSource`'s statements name the roles of the installation that it logs in to. */
export function prefixRoles(dataSource: DataSource, url: string): DataSource {
  const prefix = rolePrefixOf(url);
  if (prefix === "") return dataSource;
  const create = dataSource.createQueryRunner.bind(dataSource);
  dataSource.createQueryRunner = (mode) => {
    const runner = create(mode);
    const query = runner.query.bind(runner) as (text: string, ...rest: unknown[]) => Promise<never>;
    runner.query = (text: string, ...rest: unknown[]) => query(withRolePrefix(text, prefix), ...rest);
    return runner;
  };
  return dataSource;
}
