import { compareNumbers, type Version } from './version.ts'

const form =
  /^v?(?:(\d+)!)?(\d+(?:\.\d+)*)(?:[-_.]?(a|alpha|b|beta|c|rc|pre|preview)[-_.]?(\d*))?(?:-(\d+)|[-_.]?(?:post|rev|r)[-_.]?(\d*))?([-_.]?dev[-_.]?(\d*))?(?:\+([a-z0-9]+(?:[-_.][a-z0-9]+)*))?$/

const steps: Record<string, number> = { a: 0, alpha: 0, b: 1, beta: 1, c: 2, rc: 2, pre: 2, preview: 2 }
/** Before all, and behind all, that a number can be. */
const [lowest, highest] = ['-1', '9'.repeat(30)]

/** By PEP 440. */
export function readPypi(text: string): Version | null {
  const given = text.trim().toLowerCase()
  const found = form.exec(given)
  if (!found) return null
  const [, epoch = '0', release = '', step, stepNumber, postShort, postNumber, dev, devNumber, local = ''] = found
  const isPost = postShort !== undefined || postNumber !== undefined
  const isDev = dev !== undefined
  const pre = step === undefined ? (isDev && !isPost ? [lowest, '0'] : [highest, '0']) : [String(steps[step]), stepNumber || '0']
  const post = isPost ? [postShort ?? (postNumber || '0')] : [lowest]
  return {
    kind: 'pypi',
    epoch,
    release: release.split('.'),
    rest: [...pre, ...post, isDev ? devNumber || '0' : highest],
    local: local === '' ? [] : local.split(/[-_.]/),
  }
}

type Pypi = Extract<Version, { kind: 'pypi' }>

export function comparePypi(a: Pypi, b: Pypi): number {
  return (
    compareNumbers([a.epoch], [b.epoch]) ||
    compareNumbers(a.release, b.release) ||
    compareNumbers(a.rest, b.rest) ||
    compareLocal(a.local, b.local)
  )
}

/** Numbers behind words, and the longer one behind. */
function compareLocal(a: readonly string[], b: readonly string[]): number {
  for (const [n, part] of a.entries()) {
    const other = b[n]
    if (other === undefined) return 1
    const [isNumber, otherIs] = [/^\d+$/.test(part), /^\d+$/.test(other)]
    if (isNumber !== otherIs) return isNumber ? 1 : -1
    const order = isNumber ? compareNumbers([part], [other]) : part < other ? -1 : part > other ? 1 : 0
    if (order !== 0) return order
  }
  return a.length - b.length
}
