import { cx } from '../ui/cx.ts'

const colors: Record<string, string> = {
  GET: 'text-info-fg',
  POST: 'text-ok-fg',
  PUT: 'text-hold-fg',
  PATCH: 'text-hold-fg',
  DELETE: 'text-bad-fg',
}

/** GET, POST and so on, in mono and always as wide. */
export const Method = ({ of: method }: { of: string }) => (
  <span className={cx('mono w-13 flex-none text-xs font-semibold', colors[method])}>{method}</span>
)
