import type { AssetType } from '@masthead/contract/assets/asset'

/** What to do with a thing after it was registered, until it is first seen (domain §1.3). */
export const firstSteps: Record<AssetType, string> = {
  plastic_sim: 'Put the SIM into its device and switch the device on.',
  picolte: 'Put the SIM into the board, connect the antenna and give it power.',
  core: 'Put the SIM into the modem of the CORE device and switch it on.',
  alpon_x4: 'Connect the antennas and power the ALPON on. Its SIM is inside; it comes online by itself within a few minutes.',
  alpon_x5_ai: 'Connect the antennas and power the ALPON on. Its SIM is inside; it comes online by itself within a few minutes.',
  axis_gw: 'Connect the antennas and power the gateway on. It comes online by itself within a few minutes.',
}
