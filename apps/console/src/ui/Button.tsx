import type { LucideIcon } from 'lucide-react'
import type { ComponentProps, ReactNode } from 'react'
import { cx } from './cx.ts'
import { Icon } from './Icon.tsx'
import { Tooltip } from './Tooltip.tsx'

/** spec §9: the three sizes and the seven colours of buttons. */
export const buttonSizes = ['small', 'medium', 'large'] as const
export const buttonColors = ['primary', 'primary-solid', 'secondary', 'success', 'danger', 'billing-blue', 'billing-green'] as const
export type ButtonSize = (typeof buttonSizes)[number]
/** `ghost`, `danger-quiet` and `on-ink` are ours, for what must not be loud. */
export type ButtonColor = (typeof buttonColors)[number] | 'ghost' | 'danger-quiet' | 'on-ink'

const sizes: Record<ButtonSize, string> = {
  small: 'h-7 px-2.5 text-xs',
  medium: 'h-8 px-3 text-sm',
  large: 'h-10 px-4 text-md',
}
const squares: Record<ButtonSize, string> = { small: 'size-7', medium: 'size-8', large: 'size-10' }

const colors: Record<ButtonColor, string> = {
  primary: 'border-ok-line bg-ok-bg text-ok-fg hover:border-accent-line',
  'primary-solid': 'border-transparent bg-accent font-semibold text-on-green hover:bg-accent-hover active:bg-accent-active',
  secondary: 'border-line-2 bg-bg text-fg hover:border-control hover:bg-hover active:bg-active',
  success: 'border-transparent bg-success text-on-solid hover:bg-success-hover',
  danger: 'border-transparent bg-danger text-on-solid hover:bg-danger-hover',
  'billing-blue': 'border-transparent bg-billing-blue text-on-solid hover:bg-billing-blue-hover',
  'billing-green': 'border-transparent bg-billing-green text-on-solid hover:bg-billing-green-hover',
  ghost: 'border-transparent text-fg-2 hover:bg-active hover:text-fg',
  'danger-quiet': 'border-line-2 bg-bg text-bad-fg hover:border-bad-line hover:bg-bad-bg',
  'on-ink': 'border-transparent text-on-ink hover:bg-[rgb(255_255_255/.12)]',
}
const off = (color: ButtonColor) =>
  cx('cursor-not-allowed text-disabled', color === 'ghost' || color === 'on-ink' ? 'border-transparent' : 'border-line bg-sunken')

const shared =
  'inline-flex flex-none items-center justify-center gap-1.5 rounded-md border leading-none font-medium whitespace-nowrap transition-colors duration-80 coarse:min-h-10'

/** The classes of a button, for links that look like one. */
export const buttonClass = (color: ButtonColor = 'secondary', size: ButtonSize = 'medium', disabled = false) =>
  cx(shared, sizes[size], disabled ? off(color) : colors[color])

type Common = Omit<ComponentProps<'button'>, 'disabled' | 'color'> & {
  color?: ButtonColor
  size?: ButtonSize
  /** It works: not to be pressed again, and said so. */
  loading?: boolean
  /** `true`, or why not, in words: the button stays reachable and its tooltip says them. */
  disabled?: boolean | string | null
  'data-autofocus'?: boolean
}

const stop = (event: React.SyntheticEvent) => {
  event.preventDefault()
  event.stopPropagation()
}

type BaseProps = Omit<Common, 'color' | 'size'> & {
  /** Said of it while there is no reason to say. */
  tip?: string
}

function BaseButton({ loading = false, disabled, onClick, type = 'button', tip, children, ...rest }: BaseProps) {
  const words = typeof disabled === 'string' ? disabled : tip
  const inert = Boolean(disabled) || loading
  const button = (
    <button
      {...rest}
      type={type}
      // With a reason it can still be focused and read; without one it is out of the way.
      disabled={disabled === true}
      aria-disabled={inert || undefined}
      aria-busy={loading || undefined}
      onClick={inert ? stop : onClick}
    >
      {children}
    </button>
  )
  if (disabled === undefined && tip === undefined) return button
  // One shape with and without a reason: the button stays the same element when it comes or goes, and keeps the focus.
  return (
    <Tooltip content={words} disabled={!words}>
      {button}
    </Tooltip>
  )
}

/** It works: only inside what was pressed, which says so in words. */
export function Spinner({ className }: { className?: string }) {
  return <span className={cx('spin', className)} aria-hidden />
}

/**
 * What does something: `secondary` and medium unless said otherwise. Enter and Space press it; not while it is `loading`, and not when it is
 * `disabled`, which says why where a reason is given.
 */
export function Button({
  color = 'secondary',
  size = 'medium',
  icon,
  className,
  ...rest
}: Common & { icon?: LucideIcon; children: ReactNode }) {
  return (
    <BaseButton {...rest} className={cx(buttonClass(color, size, Boolean(rest.disabled)), rest.loading && 'cursor-progress', className)}>
      {rest.loading ? <Spinner className="-ml-0.5" /> : icon && <Icon of={icon} size={size === 'small' ? 14 : 16} className="-ml-0.5" />}
      {rest.children}
    </BaseButton>
  )
}

/** A button that is only an icon: `label` names it, and its tooltip shows the name. */
export function IconButton({
  label,
  icon,
  color = 'ghost',
  size = 'medium',
  className,
  children,
  ...rest
}: Common & { label: string; icon: LucideIcon }) {
  return (
    <BaseButton
      {...rest}
      tip={label}
      aria-label={label}
      className={cx(shared, squares[size], 'coarse:min-w-10', rest.disabled ? off(color) : colors[color], className)}
    >
      {rest.loading ? <Spinner /> : <Icon of={icon} size={size === 'small' ? 14 : 16} />}
      {children}
    </BaseButton>
  )
}
