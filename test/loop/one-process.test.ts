import { testLoop } from "./loop.ts";

testLoop("one");
