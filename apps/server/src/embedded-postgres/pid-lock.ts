import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'

/** Which process of which boot: a bare pid is soon given to somebody else, in a container nearly always. */
function identityOf(pid: number) {
  const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  const started = stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19]
  return `${pid} ${started} ${boot}\n`
}

function holderIn(content: string) {
  const pid = Number.parseInt(content)
  try {
    return identityOf(pid) === content ? pid : undefined
  } catch {
    return undefined
  }
}

/**
 * Claims a lock file for this process; the claim of a dead process is taken over.
 * Answers how to give it back, or the pid of the living holder.
 */
export function claimLock(path: string): { release: () => void } | { heldBy: number } {
  const mine = identityOf(process.pid)
  const draft = `${path}.${process.pid}`
  for (;;) {
    // Looked at before anything is written: on a full disk a command still finds the Masthead that runs.
    const held = readIfThere(path)
    const heldBy = held === undefined ? undefined : holderIn(held)
    if (heldBy !== undefined) return { heldBy }
    if (held !== undefined) moveAside(path, held)
    try {
      // A link appears with its whole content or not at all, and only once.
      writeFileSync(draft, mine)
      linkSync(draft, path)
      return { release: () => releaseLock(path, mine) }
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    } finally {
      rmSync(draft, { force: true })
    }
  }
}

function releaseLock(path: string, mine: string) {
  if (readIfThere(path) === mine) rmSync(path, { force: true })
}

/** Of several that find the claim of an ended process, one renames it; one that renamed a newer claim by mistake puts it back. */
function moveAside(path: string, dead: string) {
  const aside = `${path}.dead.${process.pid}`
  try {
    renameSync(path, aside)
    if (readFileSync(aside, 'utf8') !== dead) linkSync(aside, path)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code !== 'ENOENT' && code !== 'EEXIST') throw error
  } finally {
    rmSync(aside, { force: true })
  }
}

function readIfThere(path: string) {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}
