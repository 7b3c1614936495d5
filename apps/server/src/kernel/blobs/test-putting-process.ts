import { fileBlobs } from './file-blobs.ts'

/** Keeps what never ends, until it is killed; says so once much of it is written. */
async function* endless() {
  for (let n = 0; ; n++) {
    yield Buffer.alloc(65_536, n)
    if (n === 20) process.send?.('writing')
    if (n > 20) await new Promise((resolve) => setTimeout(resolve, 5))
  }
}
await fileBlobs(process.argv[2]!).put('reports/never', endless())
