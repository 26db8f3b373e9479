// Builds the base images of deploy/Dockerfile without an image registry: from Debian's packages with debootstrap, and
// from npm packages of Node and npm.

import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { chmod, copyFile, mkdir, mkdtemp, realpath, rename, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { containersCache, type Engine } from "./podman.ts";

const run = (program: string, ...args: string[]) => promisify(execFile)(program, args, { maxBuffer: 64 * 1024 ** 2 });

/** Build arguments of the Dockerfile with the names of the images built here. */
export const baseImages = { BUILD_BASE: "localhost/ems-test/node:26", BASE: "localhost/ems-test/cc:nonroot" } as const;

const suite = "trixie";
const npmVersion = "11";
/** Certificates of this machine, which may include a proxy's authority. */
const certificates = "/etc/ssl/certs/ca-certificates.crt";
/** Debian packages of the last stage's base: C and C++ libraries, certificates and time zones. */
const ccPackages = [
  ...["base-files", "ca-certificates", "libc6", "libgcc-s1", "libgomp1", "libssl3t64", "libstdc++6"],
  ...["libzstd1", "netbase", "tzdata", "zlib1g"],
];
const accounts = {
  passwd:
    "root:x:0:0:root:/root:/sbin/nologin\nnobody:x:65534:65534:nobody:/nonexistent:/sbin/nologin\nnonroot:x:65532:65532:nonroot:/home/nonroot:/sbin/nologin\n",
  group: "root:x:0:\nnobody:x:65534:\nnonroot:x:65532:\n",
};

/** Builds both base images unless they exist. */
export async function makeBaseImages({ podman, attempt, env }: Engine): Promise<void> {
  const isThere = async (image: string) => (await attempt("image", "exists", image)).code === 0;
  if (!(await isThere(baseImages.BUILD_BASE))) {
    const change = `ENV PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin NODE_EXTRA_CA_CERTS=${certificates}`;
    await importTree(await madeOnce("node", nodeTree), baseImages.BUILD_BASE, [change], env);
  }
  if (!(await isThere(baseImages.BASE))) {
    const changes = ["USER 65532", "WORKDIR /home/nonroot", `ENV SSL_CERT_FILE=${certificates}`];
    await importTree(await madeOnce("cc", ccTree), baseImages.BASE, changes, env);
  }
  await podman("image", "exists", baseImages.BASE);
}

/** Returns the cached tree of that name; builds it in a draft folder first, so that no partial tree is used. */
async function madeOnce(name: string, make: (folder: string) => Promise<void>): Promise<string> {
  const made = join(containersCache, name);
  if (existsSync(made)) return made;
  const draft = await mkdtemp(join(containersCache, `${name}-`));
  try {
    await make(draft);
    await chmod(draft, 0o755);
    await rename(draft, made);
    return made;
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
}

async function debianTree(folder: string): Promise<void> {
  const include = "ca-certificates,libatomic1,libgomp1,libssl3t64,libstdc++6,netbase,tzdata";
  await run("debootstrap", "--variant=minbase", `--include=${include}`, suite, folder);
}

/** Builds Debian with Node and npm, like the official image. */
async function nodeTree(folder: string): Promise<void> {
  await run("cp", "-a", `${await madeOnce("debian", debianTree)}/.`, folder);
  const local = join(folder, "usr/local");
  await copyFile(await realpath(process.execPath), join(local, "bin/node"));
  const modules = join(local, "lib/node_modules");
  await mkdir(modules, { recursive: true });
  const { stdout } = await run("npm", "pack", "--silent", "--pack-destination", modules, `npm@${npmVersion}`);
  const archive = join(modules, stdout.trim());
  await run("tar", "-C", modules, "-xzf", archive);
  await rename(join(modules, "package"), join(modules, "npm"));
  await rm(archive);
  for (const name of ["npm", "npx"])
    await symlink(`../lib/node_modules/npm/bin/${name}-cli.js`, join(local, "bin", name));
  await copyFile(certificates, join(folder, certificates));
  const registry = (await run("npm", "config", "get", "registry")).stdout.trim();
  await writeFile(
    join(folder, "root/.npmrc"),
    `registry=${registry}\ncafile=${certificates}\naudit=false\nfund=false\n`,
  );
}

/** Copies the files of a few packages, without a shell or a package manager. */
async function ccTree(folder: string): Promise<void> {
  const debian = await madeOnce("debian", debianTree);
  const { stdout } = await run("dpkg-query", `--admindir=${debian}/var/lib/dpkg`, "--listfiles", ...ccPackages);
  const listed = stdout.split("\n").filter((path) => path.startsWith("/") && path !== "/.");
  const paths = listed.filter(
    (path) => !/^\/usr\/(share\/(doc|man|lintian)|lib\/\S+\/gconv|s?bin\/.)|^\/\.$/.test(path),
  );
  const list = `${folder}.list`;
  await writeFile(list, [...new Set(paths)].map((path) => `.${path}\n`).join(""));
  const copied = `tar -C '${debian}' --no-recursion --ignore-failed-read -c -T '${list}' | tar -C '${folder}' -x`;
  await run("bash", "-o", "pipefail", "-c", copied);
  await rm(list);
  for (const name of ["bin", "lib", "lib64", "sbin"]) {
    await mkdir(join(folder, "usr", name), { recursive: true });
    if (!existsSync(join(folder, name))) await symlink(`usr/${name}`, join(folder, name));
  }
  for (const [name, text] of Object.entries(accounts)) await writeFile(join(folder, "etc", name), text);
  for (const name of ["etc/ssl/certs", "home/nonroot", "tmp", "root"])
    await mkdir(join(folder, name), { recursive: true });
  await copyFile(certificates, join(folder, certificates));
  await chmod(join(folder, "tmp"), 0o1777);
  await run("chown", "-R", "65532:65532", join(folder, "home/nonroot"));
}

async function importTree(tree: string, image: string, changes: readonly string[], env: NodeJS.ProcessEnv) {
  const options = changes.map((change) => `--change '${change}'`).join(" ");
  const piped = `tar -C '${tree}' -c . | podman import --quiet ${options} - ${image}`;
  await promisify(execFile)("bash", ["-o", "pipefail", "-c", piped], { env });
}
