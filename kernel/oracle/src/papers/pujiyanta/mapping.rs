//! From virtual nodes to actual ones: the paper's permutations.
//!
//! A slot is a list of the users of its nodes, 0 for none. The construction keeps what ran in the slot before where it is. It does not
//! say where new jobs go; in its example one goes to the actual node with the number of its virtual one. Read here: there if that
//! is free, otherwise to the lowest one left. The kernel binds late instead: a job that starts gets the lowest free nodes, and keeps them.
//!
//! Source: `pujiyanta`, section 2.B, equations 1 to 5.

/// A matrix of zeros and ones, row by row.
pub type Matrix = Vec<Vec<u8>>;

/// S(t) of table I.
pub const NOW: [u32; 5] = [3, 7, 4, 5, 8];
/// S(t+1) of table I.
pub const NEXT: [u32; 5] = [8, 0, 7, 6, 4];

/// Those of `one` that are not in `other`, in its order: equations 2 and 3.
#[must_use]
pub fn difference(one: &[u32], other: &[u32]) -> Vec<u32> {
    let users = one
        .iter()
        .filter(|user| **user != 0 && !other.contains(user));
    users.copied().collect()
}

/// Those of `next` that ran before: equation 4.
#[must_use]
pub fn common(now: &[u32], next: &[u32]) -> Vec<u32> {
    let users = next.iter().filter(|user| **user != 0 && now.contains(user));
    users.copied().collect()
}

/// S⁻¹(t+1): a one in row i and column j when the user of virtual node i ran on the actual node j. One who has several nodes keeps them in order.
#[must_use]
pub fn inverse(now: &[u32], next: &[u32]) -> Matrix {
    let mut matrix = vec![vec![0; now.len()]; next.len()];
    for (i, user) in next.iter().enumerate().filter(|(_, user)| **user != 0) {
        let so_far = next[..i].iter().filter(|other| *other == user).count();
        let mut places = now.iter().enumerate().filter(|(_, other)| *other == user);
        if let Some((j, _)) = places.nth(so_far) {
            matrix[i][j] = 1;
        }
    }
    matrix
}

/// Y: the matrix with a column for each user of `next` that has none, H of step b.
#[must_use]
pub fn complete(mut matrix: Matrix, next: &[u32]) -> Matrix {
    for (i, _) in next.iter().enumerate().filter(|(_, user)| **user != 0) {
        if matrix[i].contains(&1) {
            continue;
        }
        let is_free = |j: &usize| matrix.iter().all(|row| row[*j] == 0);
        let own = Some(i).filter(is_free);
        let free = own.or_else(|| (0..matrix.len()).find(is_free));
        matrix[i][free.expect("there are as many nodes as virtual ones")] = 1;
    }
    matrix
}

/// A slot times a matrix: who is on which actual node.
#[must_use]
pub fn times(slot: &[u32], matrix: &Matrix) -> Vec<u32> {
    let column = |j: usize| {
        let products = slot
            .iter()
            .zip(matrix)
            .map(|(user, row)| user * u32::from(row[j]));
        products.sum()
    };
    (0..slot.len()).map(column).collect()
}

/// The partial identity: a one for each actual node whose user stays.
#[must_use]
pub fn partial_identity(inverse: &Matrix) -> Matrix {
    let size = inverse.len();
    let product = |i: usize, j: usize| inverse.iter().map(|row| row[i] * row[j]).sum();
    (0..size)
        .map(|i| (0..size).map(|j| product(i, j)).collect())
        .collect()
}

/// The actual nodes of consecutive slots of the virtual view.
#[must_use]
pub fn actual(virtual_view: &[Vec<u32>]) -> Vec<Vec<u32>> {
    let mut mapped: Vec<Vec<u32>> = Vec::new();
    for next in virtual_view {
        let idle = vec![0; next.len()];
        let now = mapped.last().unwrap_or(&idle);
        let matrix = complete(inverse(now, next), next);
        mapped.push(times(next, &matrix));
    }
    mapped
}

/// Whether every user keeps its nodes from a slot to the next in which it runs.
#[must_use]
pub fn nobody_moves(slots: &[Vec<u32>]) -> bool {
    slots.windows(2).all(|pair| {
        let stays = |user: u32, slot: &[u32]| -> Vec<usize> {
            (0..slot.len()).filter(|node| slot[*node] == user).collect()
        };
        common(&pair[0], &pair[1])
            .into_iter()
            .all(|user| stays(user, &pair[0]) == stays(user, &pair[1]))
    })
}

#[cfg(test)]
mod tests {
    use super::{
        NEXT, NOW, actual, common, complete, difference, inverse, nobody_moves, partial_identity,
        times,
    };

    #[test]
    fn the_sets_of_table_1() {
        assert_eq!(difference(&NOW, &NEXT), [3, 5]);
        assert_eq!(difference(&NEXT, &NOW), [6]);
        assert_eq!(common(&NOW, &NEXT), [8, 7, 4]);
    }

    #[test]
    fn the_matrices_are_those_printed() {
        let inverse = inverse(&NOW, &NEXT);
        assert_eq!(
            inverse,
            [
                [0, 0, 0, 0, 1],
                [0, 0, 0, 0, 0],
                [0, 1, 0, 0, 0],
                [0, 0, 0, 0, 0],
                [0, 0, 1, 0, 0],
            ]
        );
        assert_eq!(
            partial_identity(&inverse),
            [
                [0, 0, 0, 0, 0],
                [0, 1, 0, 0, 0],
                [0, 0, 1, 0, 0],
                [0, 0, 0, 0, 0],
                [0, 0, 0, 0, 1],
            ]
        );
        let y = complete(inverse, &NEXT);
        assert_eq!(
            y,
            [
                [0, 0, 0, 0, 1],
                [0, 0, 0, 0, 0],
                [0, 1, 0, 0, 0],
                [0, 0, 0, 1, 0],
                [0, 0, 1, 0, 0],
            ]
        );
        // Table II.
        assert_eq!(times(&NEXT, &y), [0, 7, 4, 6, 8]);
    }

    #[test]
    fn a_user_on_several_nodes_keeps_them() {
        let view = [vec![1, 2, 2, 3], vec![2, 2, 3, 4], vec![4, 2, 2, 0]];
        assert!(!nobody_moves(&view));
        let actual = actual(&view);
        assert_eq!(actual, [[1, 2, 2, 3], [4, 2, 2, 3], [4, 2, 2, 0]]);
        assert!(nobody_moves(&actual));
    }
}
