/** What may be dropped: endings (`.csv`) or kinds (`image/*`), as in a file input's `accept`. */
const isAccepted = ({ name, type }: Pick<File, 'name' | 'type'>, accept: string) => {
  const wanted = accept
    .split(',')
    .map((one) => one.trim().toLowerCase())
    .filter(Boolean)
  if (wanted.length === 0) return true
  return wanted.some((one) =>
    one.startsWith('.')
      ? name.toLowerCase().endsWith(one)
      : one.endsWith('/*')
        ? type.startsWith(one.slice(0, -1))
        : type.toLowerCase() === one
  )
}

/** Which files can be taken, and why the others cannot, in words. `maxBytes` is written by `size`, so that there is one way to write it. */
export function sortFiles<One extends Pick<File, 'name' | 'type' | 'size'>>(
  files: readonly One[],
  {
    accept = '',
    maxBytes = Infinity,
    multiple = false,
    size,
  }: { accept?: string; maxBytes?: number; multiple?: boolean; size: (bytes: number) => string }
): { taken: One[]; refused: string[] } {
  const taken: One[] = []
  const refused: string[] = []
  for (const file of files) {
    if (!isAccepted(file, accept)) refused.push(`${file.name} is not one of ${accept.replaceAll(',', ', ')}.`)
    else if (file.size > maxBytes) refused.push(`${file.name} has ${size(file.size)}, at most ${size(maxBytes)} can be taken.`)
    else if (!multiple && taken.length > 0) refused.push(`${file.name} was left out: one file at a time.`)
    else taken.push(file)
  }
  return { taken, refused }
}
