// Starts a headless Chromium for tests. On Linux x64 it is the one in the npm package @sparticuz/chromium, so that a
// machine needs only Node and npm. On other platforms it is the installed browser.

import { execFile } from "node:child_process";
import { access, chmod, constants, mkdir, mkdtemp, readFile, rename, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { z } from "@ems/kit/config";
import { type Browser, chromium } from "playwright-core";

interface Installed {
  readonly executablePath: string;
  readonly env: Readonly<Record<string, string>>;
}

const flags = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  // Resolve no other host names, so that no request leaves the machine, even if a test fails.
  "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
];

interface ChromiumOptions {
  /** True to use this machine's monospace fonts, for screenshots, because the package has none. */
  readonly hasMonospace?: boolean;
}

export interface RunningChromium {
  readonly browser: Browser;
  close(): Promise<void>;
}

/** Starts Chromium with an empty profile. `close` removes the profile's folder and everything that Chromium wrote. */
export async function startChromium({ hasMonospace = false }: ChromiumOptions = {}): Promise<RunningChromium> {
  const { executablePath, env } = await installed();
  const home = await mkdtemp(join(tmpdir(), "ems-chromium-"));
  const fonts = hasMonospace && env.FONTCONFIG_FILE !== undefined && (await withMonospace(home, env.FONTCONFIG_FILE));
  const remove = () => rm(home, { recursive: true, force: true, maxRetries: 5 });
  try {
    const browser = await chromium.launch({
      executablePath,
      args: flags,
      env: { ...env, ...fonts, HOME: home, TMPDIR: home },
    });
    return { browser, close: () => browser.close().finally(remove) };
  } catch (error) {
    await remove();
    throw error;
  }
}

async function installed(): Promise<Installed> {
  const named = process.env.CHROMIUM_PATH;
  if (named !== undefined) return { executablePath: named, env: {} };
  if (process.platform === "linux" && process.arch === "x64") return unpacked();
  const executablePath = await onThisMachine();
  if (executablePath !== undefined) return { executablePath, env: {} };
  const here = `${process.platform} ${process.arch}`;
  throw new Error(`No Chromium for ${here}: install Chromium or Chrome, or name its executable in CHROMIUM_PATH.`);
}

const names = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];
const applications = [
  "/Applications/Chromium.app/Contents/MacOS/Chromium",
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
];

async function onThisMachine(): Promise<string | undefined> {
  const folders = (process.env.PATH ?? "").split(delimiter);
  for (const path of [...folders.flatMap((folder) => names.map((name) => join(folder, name))), ...applications]) {
    if (await isExecutable(path)) return path;
  }
  return undefined;
}

/** Returns the unpacked Chromium. Unpacks it once (3 seconds, 230 MB) to a folder next to the packages. */
async function unpacked(): Promise<Installed> {
  const manifest = new URL("../package.json", import.meta.resolve("@sparticuz/chromium"));
  const { version } = z.object({ version: z.string() }).parse(JSON.parse(await readFile(manifest, "utf8")));
  const folder = fileURLToPath(new URL(`../../node_modules/.cache/chromium/${version}`, import.meta.url));
  const executablePath = join(folder, "chromium");
  if (!(await isExecutable(executablePath))) await unpackTo(folder);
  return {
    executablePath,
    env: { LD_LIBRARY_PATH: join(folder, "al2023", "lib"), FONTCONFIG_FILE: join(folder, "fonts.conf") },
  };
}

// The package unpacks to the temporary folder. It includes NSS, which servers rarely have, only if it believes that it
// runs in a cloud function. Run it in a separate process, because it changes its environment.
const unpack = 'await (await import("@sparticuz/chromium")).default.executablePath()';

async function unpackTo(folder: string): Promise<void> {
  await mkdir(dirname(folder), { recursive: true });
  const begun = await mkdtemp(`${folder}-`);
  try {
    const env = { ...process.env, TMPDIR: begun, AWS_LAMBDA_JS_RUNTIME: "nodejs24.x" };
    const options = { env, cwd: import.meta.dirname, timeout: 60_000 };
    await promisify(execFile)(process.execPath, ["--input-type=module", "--eval", unpack], options);
    await writeFile(join(begun, "fonts.conf"), fontsConf);
    await Promise.all([begun, join(begun, "chromium")].map((path) => chmod(path, 0o755)));
    await rename(begun, folder);
  } catch (error) {
    await rm(begun, { recursive: true, force: true });
    // Ignore the error if another process has meanwhile unpacked the same version.
    if (!(await isExecutable(join(folder, "chromium")))) throw error;
  }
}

/** Font configuration with only the package's own fonts, so that pages look the same on every machine. */
const fontsConf = `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig><dir prefix="relative">fonts</dir><cachedir prefix="xdg">fontconfig</cachedir></fontconfig>
`;

/** Writes a font configuration with the package's fonts and this machine's monospace fonts. */
async function withMonospace(home: string, included: string): Promise<{ readonly FONTCONFIG_FILE: string }> {
  const file = join(home, "fonts.conf");
  await writeFile(
    file,
    `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig><include>${included}</include><dir>/usr/share/fonts</dir>
<selectfont><acceptfont><glob>*Mono*</glob></acceptfont><rejectfont><glob>/usr/share/fonts/*.?t?</glob></rejectfont></selectfont>
<alias binding="strong"><family>monospace</family>
<prefer><family>Liberation Mono</family><family>DejaVu Sans Mono</family></prefer></alias></fontconfig>
`,
  );
  return { FONTCONFIG_FILE: file };
}

async function isExecutable(path: string): Promise<boolean> {
  return access(path, constants.X_OK).then(
    () => true,
    () => false,
  );
}
