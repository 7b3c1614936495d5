import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startProduct } from '@masthead/testkit/product'

// Seconds from `npm start` until `/readyz` answers 200: on no data, then three times on existing data (the reference is the limit of 3 s).

const dataDir = mkdtempSync(join(tmpdir(), 'masthead-'))
const seconds: number[] = []
try {
  for (let i = 0; i < 4; i++) {
    const begun = performance.now()
    const product = await startProduct({ MASTHEAD_DATA_DIR: dataDir }, { command: ['npm', 'start'] })
    seconds.push((performance.now() - begun) / 1000)
    await product.stop()
  }
  const again = seconds.slice(1).sort((a, b) => a - b)
  console.log(JSON.stringify({ figure: 'second-start', first_s: seconds[0], again_s: again, limit_s: 3, ratio: again[1]! / 3 }))
} finally {
  rmSync(dataDir, { recursive: true, force: true })
}
