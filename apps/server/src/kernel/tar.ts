const block = 512 // bytes, of which a tar file is made

/** The head of a file that anybody may run (POSIX.1-1988, "ustar"), before its `size` bytes. `name`: of at most 100 bytes. Without a type it is a file. */
export function tarHead(name: string, size: number): Buffer {
  const head = Buffer.alloc(block)
  const octal = (value: number, at: number, digits: number) => head.write(value.toString(8).padStart(digits, '0'), at, 'latin1')
  head.write(name, 0)
  octal(0o755, 100, 7)
  octal(0, 108, 7)
  octal(0, 116, 7)
  octal(size, 124, 11)
  octal(0, 136, 11)
  head.write('ustar\0' + '00', 257, 'latin1')
  // Counted with blanks in its own place.
  head.fill(' ', 148, 156)
  octal(
    head.reduce((sum, byte) => sum + byte, 0),
    148,
    6
  )
  head.write('\0', 154, 'latin1')
  return head
}

/** What follows the last file, of `size` bytes: its last block is filled, and two blocks of nothing are the end. */
export const tarEnd = (size: number): Buffer => Buffer.alloc(((block - (size % block)) % block) + 2 * block)
