type Entry = { path: string; type?: string; content?: string; mode?: number; target?: string }

/** A tar of some files; names that are too long for its header stand before it, as GNU writes them. */
export const tarOf = (entries: readonly Entry[]): Buffer =>
  Buffer.concat([
    ...entries.flatMap((entry) =>
      Buffer.byteLength(entry.path) > 100
        ? [one({ path: '././@LongLink', type: 'L', content: `${entry.path}\0` }), one({ ...entry, path: entry.path.slice(0, 100) })]
        : [one(entry)]
    ),
    Buffer.alloc(1024),
  ])

function one({ path, type = '0', content = '', mode = 0o755, target = '' }: Entry): Buffer {
  const header = Buffer.alloc(512)
  const bytes = Buffer.from(content)
  header.write(path, 0)
  header.write(mode.toString(8).padStart(7, '0'), 100)
  header.write(bytes.length.toString(8).padStart(11, '0'), 124)
  header.write(type, 156)
  header.write(target, 157)
  header.write('ustar\0' + '00', 257)
  header.fill(' ', 148, 156)
  const sum = header.reduce((all, byte) => all + byte, 0)
  header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148)
  return Buffer.concat([header, bytes, Buffer.alloc((512 - (bytes.length % 512)) % 512)])
}
