/** The one error this package throws: a value that cannot be put into a packet. Nothing received ever throws. */
export class RadiusError extends Error {
  override name = 'RadiusError'
}
