import { execFileSync } from 'node:child_process'
import { closeSync, mkdtempSync, openSync, rmSync, rmdirSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A disk of 400 MB to oneself; null where one may not mount it. */
export function mountSmallDisk(): { dir: string; unmount: () => void } | null {
  const dir = mkdtempSync(join(tmpdir(), 'masthead-disk-'))
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=400m,mode=0755', 'tmpfs', dir], { stdio: 'ignore' })
  } catch {
    rmdirSync(dir)
    return null
  }
  const unmount = () => {
    process.off('exit', unmount)
    execFileSync('umount', ['-l', dir])
    rmdirSync(dir)
  }
  // Whoever gives up leaves no disk behind.
  process.on('exit', unmount)
  return { dir, unmount }
}

/** Fills what room is left on a disk; returns how to give it back. */
export function fillDisk(dir: string): () => void {
  const file = join(dir, 'ballast')
  const handle = openSync(file, 'w')
  for (const piece of [1 << 20, 4096])
    try {
      for (const zeros = Buffer.alloc(piece); ;) writeSync(handle, zeros)
    } catch {
      // no room for a piece of that size
    }
  closeSync(handle)
  return () => rmSync(file)
}
