import type { LucideIcon } from 'lucide-react'
import type { ComponentProps, ElementType, ReactNode } from 'react'
import { buttonClass, type ButtonColor, type ButtonSize } from './Button.tsx'
import { cx } from './cx.ts'
import { Icon } from './Icon.tsx'
import { Tooltip } from './Tooltip.tsx'

type LinkButtonProps = Omit<ComponentProps<'a'>, 'color'> & {
  color?: ButtonColor
  size?: ButtonSize
  icon?: LucideIcon
  /** Why it leads nowhere now, in words: it stays reachable and its tooltip says them. */
  disabled?: string | null
  /** What is rendered: a router's link takes its own props (`as={Link} to="/assets"`). */
  as?: ElementType
  children: ReactNode
} & Record<string, unknown>

/** A link that looks like a button, for what leads somewhere. Enter follows it; a link of another site opens beside. */
export function LinkButton({ color, size = 'medium', icon, disabled, as: Element = 'a', className, children, ...rest }: LinkButtonProps) {
  const outside = typeof rest.href === 'string' && /^https?:/.test(rest.href)
  const look = cx(buttonClass(color, size, Boolean(disabled)), className)
  const content = (
    <>
      {icon && <Icon of={icon} size={size === 'small' ? 14 : 16} className="-ml-0.5" />}
      {children}
      {outside && <span className="sr-only"> (opens beside)</span>}
    </>
  )
  if (disabled)
    return (
      <Tooltip content={disabled}>
        <span role="link" aria-disabled tabIndex={0} className={look}>
          {content}
        </span>
      </Tooltip>
    )
  return (
    <Element {...rest} {...(outside && { target: '_blank', rel: 'noreferrer' })} className={look}>
      {content}
    </Element>
  )
}
