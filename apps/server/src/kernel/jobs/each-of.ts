/** Does it for each, one after the other. One that goes wrong keeps nobody else from their turn; the first that did is thrown in the end. */
export async function eachOf<Each>(all: readonly Each[], run: (each: Each) => Promise<unknown>): Promise<void> {
  const wrong: unknown[] = []
  for (const each of all) await run(each).catch((error: unknown) => wrong.push(error))
  if (wrong.length > 0) throw wrong[0]
}
