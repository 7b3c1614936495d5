import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

const flags = ['--disable-warning=ExperimentalWarning', '--max-semi-space-size=1', '--no-maglev', '--no-turbofan', '--input-type=module']

/**
 * MB that outlive collections of young memory while a program of its own repeats `round`; both are JavaScript, `before` runs once and `after` at
 * the end. Its arguments are in `process.argv`, from 1 on.
 */
export async function keptMemory(
  { before, round, after }: Record<'before' | 'round' | 'after', string>,
  ...args: string[]
): Promise<number> {
  const script = `
    import { getHeapSpaceStatistics } from 'node:v8'
    ${before}
    const old = () => getHeapSpaceStatistics().find((space) => space.space_name === 'old_space').space_used_size
    let kept = 0
    for (let n = 0; n < 20; n++) {
      const from = old()
      ${round}
      if (n > 4) kept += Math.max(0, old() - from)
    }
    ${after}
    console.log(kept / 2 ** 20)`
  return Number((await promisify(execFile)(process.execPath, [...flags, '-e', script, ...args])).stdout)
}
