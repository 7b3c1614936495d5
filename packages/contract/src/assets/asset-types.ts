/** Product types: key and label (spec §1). */
export const assetTypes = {
  picolte: 'Pico LTE',
  plastic_sim: 'Plastic SIM',
  core: 'CORE Device + Plastic SIM',
  alpon_x4: 'ALPON X4',
  alpon_x5_ai: 'ALPON X5 AI',
  axis_gw: 'Axis GW',
} as const
