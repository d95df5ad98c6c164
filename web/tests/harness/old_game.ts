/** A game of 125 plies in ICCS, in the manner of the files of old games: computer players of this program played it. */
export const OLD_GAME = `[Game "Chinese Chess"]
[Event "National Championship"]
[Date "1982.??.??"]
[Red "A"]
[Black "B"]
[Result "*"]
[Format "ICCS"]

  1. H2-H9 I9-H9
  2. B2-E2 H7-E7
  3. E2-E6 D9-E8
  4. A0-A1 B9-C7
  5. E6-E5 C7-E6
  6. E5-E7 G9-E7
  7. H0-G2 E6-F4
  8. I0-I2 B7-B2
  9. G3-G4 B2-I2
 10. G2-F4 I2-I0
 11. A1-I1 I0-H0
 12. B0-C2 H9-H2
 13. C0-E2 H2-F2
 14. I1-H1 F2-F4
 15. H1-H0 A9-B9
 16. H0-H6 B9-B2
 17. C2-E1 F4-F1
 18. E1-C0 B2-E2
 19. D0-E1 E2-E3
 20. C0-D2 F1-G1
 21. H6-G6 E3-C3
 22. G0-E2 G1-G4
 23. G6-G4 C3-D3
 24. A3-A4 C6-C5
 25. G4-I4 I6-I5
 26. I4-I5 D3-D4
 27. I5-E5 D4-D3
 28. I3-I4 D3-D4
 29. I4-I5 D4-A4
 30. I5-H5 A4-D4
 31. D2-B3 D4-D3
 32. B3-D2 E9-D9
 33. D2-C0 A6-A5
 34. C0-B2 D3-B3
 35. B2-C0 B3-B0
 36. H5-H6 B0-B6
 37. H6-H7 B6-B0
 38. E5-D5 D9-E9
 39. D5-E5 A5-A4
 40. E5-E4 A4-A3
 41. E4-E3 A3-B3
 42. H7-G7 C5-C4
 43. G7-G8 C4-C3
 44. G8-F8 B0-A0
 45. E1-D0 E9-D9
 46. C0-D2 A0-A2
 47. D2-E4 A2-A4
 48. F0-E1 A4-D4
 49. E4-F6 D4-F4
 50. E3-E6 D9-E9
 51. E1-D2 C3-D3
 52. D2-E1 B3-B2
 53. E6-D6 F4-F0
 54. E1-F0 D3-E3
 55. F6-E8 F9-E8
 56. D6-E6 E3-D3
 57. E6-D6 D3-E3
 58. D6-E6 E3-D3
 59. E6-D6 D3-E3
 60. D6-D2 B2-B1
 61. D2-C2 E3-D3
 62. C2-B2 B1-C1
 63. B2-C2
*`;
