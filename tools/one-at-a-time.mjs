import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'

/** Which process of which boot: a bare pid is soon given to somebody else. Off Linux the pid must do. */
function identityOf(pid) {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    const started = stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19]
    return `${pid} ${started} ${readFileSync('/proc/sys/kernel/random/boot_id', 'utf8')}`
  } catch {
    return `${pid}\n`
  }
}

function lives(claim) {
  const pid = Number.parseInt(claim)
  try {
    process.kill(pid, 0)
  } catch (error) {
    if (error.code !== 'EPERM') return false
  }
  return identityOf(pid) === claim
}

/**
 * Does work that two starts from one checkout must not do at once: the second waits, with a line that says for whom.
 * The claim of a process that was killed is taken over.
 */
export async function oneAtATime(lock, waitingWords, work) {
  const mine = identityOf(process.pid)
  const draft = `${lock}.${process.pid}`
  for (let told = false; ;) {
    try {
      // A link appears with its whole content or not at all, and only once.
      writeFileSync(draft, mine)
      linkSync(draft, lock)
      break
    } catch (error) {
      if (error.code !== 'EEXIST') throw error
    } finally {
      rmSync(draft, { force: true })
    }
    const claim = readIfThere(lock)
    if (claim === undefined) continue
    if (!lives(claim)) {
      moveAside(lock, claim)
      continue
    }
    if (!told) console.log(`${waitingWords} (process ${Number.parseInt(claim)}); waiting for it`)
    told = true
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  const release = () => {
    if (readIfThere(lock) === mine) rmSync(lock, { force: true })
  }
  process.once('exit', release)
  try {
    return await work()
  } finally {
    release()
    process.off('exit', release)
  }
}

/** Of several that find the same dead claim, one renames it; who grabs a newcomer's by mistake puts it back. */
function moveAside(lock, dead) {
  const aside = `${lock}.dead.${process.pid}`
  try {
    renameSync(lock, aside)
    if (readFileSync(aside, 'utf8') !== dead) linkSync(aside, lock)
  } catch (error) {
    if (error.code !== 'ENOENT' && error.code !== 'EEXIST') throw error
  } finally {
    rmSync(aside, { force: true })
  }
}

function readIfThere(path) {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    if (error.code === 'ENOENT') return undefined
    throw error
  }
}
