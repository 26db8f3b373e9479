// Roles belong to a whole PostgreSQL server, so installations that share one add a prefix to the product's role names.
// Code and migrations omit the prefix; statements of the owner and of administrators get it when they are sent.

import type { DataSource } from "typeorm";

/** Role names of the product: `ems_owner`, `ems_catalog`, `ems_catalog_relay`. */
const roleName = /\bems_[a-z]+(_relay)?\b/g;

/** Returns the prefix of the role that `url` logs in as. */
export function getRolePrefix(url: string): string {
  return /^(.*?)ems_[a-z_]+$/.exec(decodeURIComponent(new URL(url).username))?.[1] ?? "";
}

/** Adds the prefix to each role name in `text`. */
export function withRolePrefix(text: string, prefix: string): string {
  return prefix === "" ? text : text.replaceAll(roleName, (name) => prefix + name);
}

/** Makes `dataSource` add the prefix of the installation that it logs in to. */
export function prefixRoles(dataSource: DataSource, url: string): DataSource {
  const prefix = getRolePrefix(url);
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
