/** How often each row came. */
export class Rows extends Set<string> {
  readonly times = new Map<string, number>()
  override add(row: string) {
    this.times.set(row, (this.times.get(row) ?? 0) + 1)
    return super.add(row)
  }
}
