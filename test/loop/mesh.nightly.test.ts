import { testLoop } from "./loop.ts";

testLoop("mesh");
